/** Prints the number of files that knip read: scripts/check.mjs fails a run that read no files. */
export default function reportCount({ counters }) {
  process.stdout.write(`knip looked at ${counters.processed} files\n`)
}
