/** Prints the number of files that knip read: scripts/check.mjs lets a run without files fail. */
export default function reportCount({ counters }) {
  process.stdout.write(`knip looked at ${counters.processed} files\n`)
}
