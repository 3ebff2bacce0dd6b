#include "scree/plugin/plugin.hpp"

#include "csv.hpp"
#include "fill.hpp"
#include "import.hpp"
#include "lattice.hpp"
#include "list.hpp"
#include "poisson_disc.hpp"
#include "random_close.hpp"

SCREE_PLUGIN(packings, "1.0.0") {
  using namespace scree;
  using namespace scree::packings;
  registrar.packing("lattice", [](const Options& options, const PackingContext& context) {
    return place(read_lattice(options, context), context);
  });
  registrar.packing("poisson-disc", [](const Options& options, const PackingContext& context) {
    return place(read_poisson_disc(options, context), context);
  });
  registrar.packing("random-close", [](const Options& options, const PackingContext& context) {
    return place(read_random_close(options, context), context);
  });
  registrar.packing("fill", [](const Options& options, const PackingContext& context) {
    return place(read_fill(options, context), context);
  });
  registrar.packing("list", read_list);
  registrar.packing("csv", read_csv_file);
  registrar.packing("import", read_import);
}
