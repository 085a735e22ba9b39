/** How often a turn of a session was sent back. */
export interface Blocks {
  readonly count: number
  /** The prompt that the turn answers, where the host says so. */
  readonly prompt?: string
}

/** Keeps how often turns were sent back, by session; both may fail. */
export interface BlockCounts {
  get(session: string): Promise<Blocks | undefined>
  /** Forgets the session when there are none. */
  set(session: string, blocks: Blocks | undefined): Promise<void>
}

/** Sessions that are remembered; those that were sent back longest ago are forgotten first. */
const mostSessions = 10_000

/** Counts for as long as the process runs. */
export function memoryCounts(): BlockCounts {
  const kept = new Map<string, Blocks>()
  return {
    get: async (session) => kept.get(session),
    async set(session, blocks) {
      kept.delete(session)
      if (blocks !== undefined) kept.set(session, blocks)
      if (kept.size > mostSessions) for (const oldest of kept.keys()) return void kept.delete(oldest)
    },
  }
}
