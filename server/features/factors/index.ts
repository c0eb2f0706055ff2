/**
 * Factors: TOTP, passkeys and recovery codes of staff, passkeys of players, and the steps in which a factor is proven
 * or added. Owns staff_factors, recovery_codes and factor_challenges. Emits no events. Sessions, and the routes that
 * write them, belong to identity.
 */
export { addFactor, beginAddingPasskey, beginAddingTotp, type NewFactor } from './add-factor.ts'
export {
  closeChallenge,
  dropChallenges,
  findChallenge,
  forgetOldChallenges,
  isNobodysStep,
  takeTry,
} from './challenges.ts'
export type { FactorDeps } from './ports.ts'
export {
  beginPasskeySignIn,
  beginProof,
  findPasskeyOwner,
  offerPasskey,
  offerProof,
  type Proof,
} from './prove-factor.ts'
export { countAdminsWithout, readFactors, readStaffFactors } from './queries.ts'
export { newRecoveryCodes } from './recovery-codes.ts'
export { dropFactors, removeFactor } from './remove-factor.ts'
export { readUndoable } from './undoable.ts'
