#include "ledger/kept_history.hpp"

namespace scree::culling {

KeptHistory::KeptHistory(std::span<const HistoryRecord> records) : size_(records.size()) {
  ByteWriter to;
  Id before = 0;
  for (const HistoryRecord& r : records) {
    to.put_signed(static_cast<std::int64_t>(r.a - before));
    to.put_signed(static_cast<std::int64_t>(r.b - r.a));
    to.put_number(r.interaction), to.put_signed(r.image), to.put_number(r.feature), to.put_number(r.payload);
    to.put_number(r.values.size());
    for (const double value : r.values) to.put(value);
    before = r.a;
  }
  packed_ = std::move(to.bytes);
  packed_.shrink_to_fit();
}

std::vector<HistoryRecord> KeptHistory::unpacked() const {
  ByteReader from(packed_);
  std::vector<HistoryRecord> records;
  records.reserve(size_);
  Id before = 0;
  for (std::size_t k = 0; k < size_; ++k) {
    HistoryRecord& r = records.emplace_back();
    r.a = before + static_cast<Id>(from.get_signed());
    r.b = r.a + static_cast<Id>(from.get_signed());
    r.interaction = static_cast<std::uint32_t>(from.get_number());
    r.image = static_cast<std::int32_t>(from.get_signed());
    r.feature = static_cast<std::uint32_t>(from.get_number());
    r.payload = from.get_number();
    const std::uint64_t values = from.get_number();
    if (values > from.rest().size() / sizeof(double))
      throw InputError("the state of granular-culling in the checkpoint is cut short");
    r.values.resize(values);
    for (double& value : r.values) from.get(value);
    before = r.a;
  }
  if (!from.rest().empty()) throw InputError("the ledger of granular-culling in the checkpoint has too many bytes");
  return records;
}

void KeptHistory::save(ByteWriter& to) const { to.put(size_), to.put_all(packed_); }

void KeptHistory::load(ByteReader& from) {
  from.get(size_), from.get_all(packed_);
  if (size_ > packed_.size()) throw InputError("the state of granular-culling in the checkpoint is cut short");
  unpacked();
}

}  // namespace scree::culling
