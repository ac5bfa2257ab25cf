// SPDX-License-Identifier: Apache-2.0
// Debian builds Siconos with assertions: its graph of interactions checks itself in full at every
// change. Preloaded before libsiconos, these definitions take the place of the four checks and
// accept, so that times are those of a release build. The names are those of the library's
// SiconosGraph<…>::state_assert() and adjacent_vertices_ok(), for both graphs.
#define SALTUS_INTERACTION_GRAPH                                                                  \
  "_ZNK12SiconosGraphISt10shared_ptrI11InteractionES0_I15DynamicalSystemE21InteractionProperties" \
  "25DynamicalSystemProperties15GraphPropertiesE"
#define SALTUS_SYSTEM_GRAPH                                                \
  "_ZNK12SiconosGraphISt10shared_ptrI15DynamicalSystemES0_I11InteractionE" \
  "25DynamicalSystemProperties21InteractionProperties15GraphPropertiesE"
#define SALTUS_ACCEPT(function, graph, member)           \
  bool function(const void*) __asm__(graph member "Ev"); \
  bool function(const void*) { return true; }

SALTUS_ACCEPT(interaction_state, SALTUS_INTERACTION_GRAPH, "12state_assert")
SALTUS_ACCEPT(interaction_vertices, SALTUS_INTERACTION_GRAPH, "20adjacent_vertices_ok")
SALTUS_ACCEPT(system_state, SALTUS_SYSTEM_GRAPH, "12state_assert")
SALTUS_ACCEPT(system_vertices, SALTUS_SYSTEM_GRAPH, "20adjacent_vertices_ok")
