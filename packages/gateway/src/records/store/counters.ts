/** What happened to records since the store was opened. */
export interface StoreCounters {
  /** Acknowledged by this process. */
  recorded: number
  /** In the database, those of dead processes included. */
  written: number
  /** Not kept, because the journal was full and the policy says drop. */
  dropped: number
  /** Not kept, and the caller was told so. */
  rejected: number
  /** Lines of journals that ended in the middle. */
  tornLines: number
  /** Other lines of journals that could not be read. */
  brokenLines: number
  /** Records that the database refuses for what is in them; they are in `refused.jsonl`. */
  refused: number
  /** Batches that the database did not take; each is tried again. */
  failures: number
}

/** Counters at zero. */
export function newCounters(): StoreCounters {
  return { recorded: 0, written: 0, dropped: 0, rejected: 0, tornLines: 0, brokenLines: 0, refused: 0, failures: 0 }
}
