/** So that a run of knip that found no files cannot pass. */
export default function reportCount({ counters }) {
  process.stdout.write(`knip looked at ${counters.processed} files\n`)
}
