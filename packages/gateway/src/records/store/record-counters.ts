/** Counts records since the store was opened. */
export interface StoreCounters {
  /** Acknowledged by this process. */
  recorded: number
  /** Written to the database, including those of dead processes. */
  written: number
  /** Lost, because the journal was full and the policy says drop. */
  dropped: number
  /** Rejected with an error to the caller. */
  rejected: number
  /** Lines of journals that were cut off. */
  tornLines: number
  /** Other unreadable lines of journals. */
  brokenLines: number
  /** Records whose values the database rejects; they are in `refused.jsonl`. */
  refused: number
  /** Batches that the database did not accept; each is tried again. */
  failures: number
}

/** Counters at zero. */
export function newCounters(): StoreCounters {
  return { recorded: 0, written: 0, dropped: 0, rejected: 0, tornLines: 0, brokenLines: 0, refused: 0, failures: 0 }
}
