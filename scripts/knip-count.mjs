/** Prints the number of files, because a run of knip that found no files would otherwise pass. */
export default function reportCount({ counters }) {
  process.stdout.write(`knip looked at ${counters.processed} files\n`)
}
