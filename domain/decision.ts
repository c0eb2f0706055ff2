export type Decision<Done extends object, Refusal> =
  | ({ readonly ok: true } & Readonly<Done>)
  | { readonly ok: false; readonly refusal: Refusal }

export const refuse = <const Refusal extends string>(refusal: Refusal) => ({ ok: false, refusal }) as const
