/** Beside knip's own report: how many files it looked at, so that a check that saw nothing can't pass. */
export default function reportCount({ counters }) {
  process.stdout.write(`knip looked at ${counters.processed} files\n`)
}
