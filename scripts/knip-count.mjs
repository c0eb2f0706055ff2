/** Adds to knip's own report how many files it read, so that a run that found no files cannot pass. */
export default function reportCount({ counters }) {
  process.stdout.write(`knip looked at ${counters.processed} files\n`)
}
