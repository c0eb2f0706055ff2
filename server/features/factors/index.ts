/**
 * Factors: TOTP, passkeys and recovery codes of staff, passkeys of players, and the challenges to prove or add them.
 * Owns staff_factors, recovery_codes and factor_challenges; emits no events. The feature `identity` has the routes.
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
