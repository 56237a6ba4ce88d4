# Runs the commands of one page: bash page-shell.sh PAGE_SCRIPT. STATE is a folder for the files below, and PATH contains
# only what a page can run. Commands that are not installed there, such as docker or git, are skipped.
set -euo pipefail
shopt -s inherit_errexit
page=$1

command_not_found_handle() { :; }

# A block that ends with its exit code is followed by other blocks. A code other than 0 still ends the page.
exit() { return "$1"; }

# Appends the line of the page that called a command, and its exit code, to the file `executed`.
record() {
  local code=$1 frame=0
  while [ "${BASH_SOURCE[frame + 1]:-$page}" != "$page" ]; do frame=$((frame + 1)); done
  echo "${BASH_LINENO[frame]} $code" >>"$STATE/executed"
  return "$code"
}

assay() {
  local code=0
  case ${1:-} in
    serve) serve "$@" || code=$? ;;
    restore) stop_service; command assay "$@" || code=$? ;; # needs a stopped service, as the docs say
    *) command assay "$@" || code=$? ;;
  esac
  record "$code"
}

curl() {
  local code=0
  command curl --silent --show-error --fail-with-body --max-time 60 "$@" || code=$?
  record "$code"
}

# Starts a service in the background instead of the one that runs, and prints what it prints until it is ready.
service=
serve() {
  local count=1 line
  case "$*" in *--sample*) count=5 ;; esac
  stop_service
  exec {output}< <(exec "$(type -P assay)" "$@" 2>"$STATE/log")
  service=$!
  while [ $count -gt 0 ]; do
    if ! read -r -u "$output" line; then
      cat "$STATE/log" >&2
      return 1
    fi
    echo "$line"
    count=$((count - 1))
  done
}

# Waits until the service has exited, which closes its standard output.
stop_service() {
  local line
  if [ -z "$service" ] || ! kill "$service" 2>/dev/null; then return 0; fi
  while read -r -u "$output" line; do :; done
  service=
}
trap stop_service EXIT

npm() {
  case $1 in
    start) assay serve --sample ;; # of a checkout
    install) for name; do case $name in *.tgz) [ -e "$name" ] || { echo "$name does not exist" >&2; return 1; } ;; esac; done ;;
  esac
}

npx() {
  while [[ $1 == --* ]]; do shift; done
  case $1 in assay | assay@*) assay "${@:2}" ;; esac
}

sudo() {
  if [ "$1" = -u ]; then shift 2; fi
  case $1 in assay) assay "${@:2}" ;; esac
}

# The container has its data folder at /data, and only its commands are run.
docker() {
  if [ "$1 $2 $3" = 'compose exec assay' ]; then ASSAY_DATA=$DATA_VOLUME "${@:4}"; fi
}

# Not every machine has zstd.
zstd() {
  node -e 'process.stdout.write(zlib.zstdCompressSync(fs.readFileSync(process.argv[1])))' "${@: -1}"
}

if [ -n "${START_SERVICE:-}" ]; then serve serve >/dev/null; fi
source "$page"
