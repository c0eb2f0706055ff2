#!/bin/bash
# Writes the files that a server needs into an empty folder: the program, its own Node in bin/, the built web, and the
# packages that the server loads. Containerfile copies this folder. Without containers, run bin/node server/main.ts.
#   deploy/image/release.sh FOLDER
set -euo pipefail
if [[ $# != 1 ]]; then
  echo 'Into which folder? deploy/image/release.sh FOLDER' >&2
  exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
if [[ -n $(ls -A "$folder") ]]; then
  echo "$folder is not empty" >&2
  exit 2
fi
cd "$(dirname "$0")/../.."

# A release is of committed files, so that it can be built again.
if [[ -n $(git status --porcelain) ]]; then
  echo 'There are changes that are not committed: commit them, or take another clone' >&2
  exit 2
fi
git archive HEAD package.json package-lock.json CHANGELOG.md docs domain contract server \
  $(git ls-tree --name-only HEAD .npmrc tsconfig.json) | tar -x -C "$folder"

# Installs and builds what is missing, as `npm start` does.
node --input-type=module -e "
  import { ensureInstalled, ensureWebBuilt } from './scripts/project.mjs'
  await ensureWebBuilt(await ensureInstalled(), { mayStartNew: false })"
cp -r dist "$folder/dist"

# Finds the packages that only the web imports; dist already contains their code.
import_it() { git grep -qE "['\"]$name['\"/]" HEAD -- "$@" ':!*.test.ts'; }
webs=()
for name in $(node -p "Object.keys(require('./package.json').dependencies).join(' ')"); do
  if import_it web vite.config.ts && ! import_it server contract domain; then webs+=("$name"); fi
done

(
  cd "$folder"
  npm ci --omit=dev --no-audit --no-fund --prefer-offline --fetch-retries=5
  npm uninstall --no-save --omit=dev --no-audit --no-fund "${webs[@]}"
  mkdir bin
  cp node_modules/node-*/bin/node bin/node
  strip --strip-unneeded bin/node
  rm -rf node_modules/node-* node_modules/.bin docs/pictures
  find . -name '*.test.ts' -delete
  # Only compilers and debuggers read these files.
  find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete
)
du -sm "$folder" | sed 's/\t.*/ MB/'
