#!/usr/bin/env bash
# Runs the tests and benches of this folder, which `cargo xtask bundle` made.
#
#   ./run.sh [OUT] [--tests] [--bench [ARGUMENTS...]]
#
# OUT (default: .) receives tests.log, logs/NAME.log for each test program, and bench.jsonl.
# --tests runs only the tests; --bench only the benches, with ARGUMENTS for manycore-bench (default: --profile full).
# The exit code is 0 where every test program and the bench program ended well.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=.
if [ $# -gt 0 ] && [ "${1#--}" = "$1" ]; then
  out=$1
  shift
fi
tests=1
bench=1
arguments=(--profile full)
while [ $# -gt 0 ]; do
  case $1 in
    --tests) bench=0 ;;
    --bench)
      tests=0
      shift
      if [ $# -gt 0 ]; then arguments=("$@"); fi
      break
      ;;
    *)
      echo "run.sh: unknown option $1" >&2
      exit 2
      ;;
  esac
  shift
done
mkdir -p "$out/logs" || exit 1
out=$(cd "$out" && pwd)
failed=0

# A test program that hangs must not keep the machine: MANYCORE_TEST_SECONDS bounds each.
limit=()
if command -v timeout >/dev/null; then limit=(timeout "${MANYCORE_TEST_SECONDS:-900}"); fi

if [ "$tests" = 1 ]; then
  : >"$out/tests.log"
  # Tests of the program find it here instead of in the build folder.
  export CARGO_BIN_EXE_manycore="$here/bin/manycore"
  for injector in "$here"/bin/*manycore_opencl_faults.*; do export MANYCORE_FAULT_INJECTOR="$injector"; done
  scratch=$(mktemp -d)
  # What tests measure does not go among the user's calibrations and choices.
  export MANYCORE_CACHE="${MANYCORE_CACHE:-$scratch/cache}"
  for program in "$here"/tests/*; do
    [ -x "$program" ] || continue
    name=$(basename "$program")
    log="$out/logs/$name.log"
    start=$SECONDS
    (cd "$scratch" && MANYCORE_REQUIRE_OPENCL=${MANYCORE_REQUIRE_OPENCL:-1} "${limit[@]}" "$program") >"$log" 2>&1
    status=$?
    result=ok
    if [ $status -ne 0 ]; then
      result="FAILED (exit code $status)"
      failed=1
    fi
    line="$name: $result, $((SECONDS - start)) s; $(grep '^test result' "$log" | tail -n 1)"
    echo "$line" | tee -a "$out/tests.log"
    if [ $status -ne 0 ]; then
      grep -E '^test .*FAILED|panicked' "$log" | head -n 20 | tee -a "$out/tests.log"
    fi
  done
  if [ "$MANYCORE_CACHE" = "$scratch/cache" ]; then unset MANYCORE_CACHE; fi
  rm -rf "$scratch"
fi

if [ "$bench" = 1 ]; then
  if "$here/bin/manycore-bench" --json "${arguments[@]}" >"$out/bench.jsonl"; then
    echo "benches: $(grep -c '"measurement"' "$out/bench.jsonl") measurements in $out/bench.jsonl"
  else
    echo "benches: FAILED (exit code $?)"
    failed=1
  fi
fi
exit $failed
