#pragma once
/// \file One evaluation on the device: contacts, forces, sums; and the motion that follows.

#include "engine/pair_lists.hpp"
#include "kernels/step_kernels.hpp"

namespace scree::device {

class ContactForces {
 public:
  /// While it lives, the device's stages obey its batch.
  ContactForces(Device& device, const DevicePlan& plan, const Environment& environment, PairLists& lists);
  ~ContactForces();
  ContactForces(const ContactForces&) = delete;
  ContactForces& operator=(const ContactForces&) = delete;

  /// A new batch: nothing is halted, and all counts are 0.
  void begin();
  /// Puts sites where their bodies are, and finds how far the farthest has gone since pairs were listed.
  void place_sites(const Bodies& bodies);
  /// \param time  of the trial state [s]  \param dt, lag  see Mechanics::forces()
  void evaluate(const Bodies& bodies, double time, double dt, double lag);
  /// The same, and the motion that its forces make.
  void evaluate_and_move(const Motion& motion, double time, double dt, double lag);
  /// By the forces of the last evaluation.
  void move(const Motion& motion);
  /// What was found belongs to a step that is over.
  void end_step();

  /// In the device's memory.
  Batch* batch() const { return batch_.data(); }
  Control* control() const { return &batch_.data()->now; }
  /// Waits. \param steps  whose records are read too, Batch::kMostSteps at most
  Batch read_batch(std::size_t steps = 0) const;

 private:
  NarrowArguments narrow(const Bodies& bodies, const ContactMethods& methods, const Segment& segment, double lag) const;
  PairArguments pair_arguments(const Bodies& bodies, std::size_t channel, double lag) const;
  void detect_pairs(const Bodies& bodies, std::size_t channel, double lag);
  void detect_walls(const Bodies& bodies, std::size_t wall, double lag);
  void detect_outlines(const Bodies& bodies, std::size_t wall, double lag);
  void find(const Bodies& bodies, double dt, double lag);
  LawArguments law_arguments(const ContactMethods& methods, const Segment& segment, double dt) const;
  Loads loads(const Bodies& bodies, double time) const;

  Device& device_;
  const DevicePlan& plan_;
  const Environment& environment_;
  PairLists& lists_;
  Buffer<Batch> batch_;
  Buffer<std::uint32_t> shape_of_species_;
  std::vector<Buffer<std::byte>> pair_tables_, wall_tables_;
};

}  // namespace scree::device
