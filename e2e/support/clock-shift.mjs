// Loaded before a server or the price emulator (node --import): its clock then runs CLOCK_SHIFT_MS beside the machine's,
// so that a journey can be played while gold trades, or while it is shut, on any day of the week.
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
