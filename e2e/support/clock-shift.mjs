// Preloaded into the server (node --import): shifts its clock by CLOCK_SHIFT_MS from the
// machine's, so that a journey can run on any day as if gold was trading, or closed.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)
const MachineDate = Date

globalThis.Date = class extends MachineDate {
  constructor(...args) {
    if (args.length === 0) super(MachineDate.now() + shiftMs)
    else super(...args)
  }

  static now() {
    return MachineDate.now() + shiftMs
  }
}
