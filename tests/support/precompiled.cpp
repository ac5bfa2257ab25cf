// SPDX-License-Identifier: Apache-2.0
// Only here so that the precompiled header has a target.
