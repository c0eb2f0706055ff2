export interface NoticeHints {
  /** A user has new notices, or another of the user's devices has read them. */
  noticesChanged(userId: string): void
}
