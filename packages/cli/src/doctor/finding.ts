/** The result of one check. */
export interface DoctorFinding {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly message: string
  /** What to do about it. */
  readonly advice?: string
}

/** A finding that all is well. */
export function fine(name: string, message: string): DoctorFinding {
  return { name, state: 'ok', message }
}

/** A warning. */
export function doubtful(name: string, message: string, advice: string): DoctorFinding {
  return { name, state: 'warn', message, advice }
}

/** A problem that prevents the gateway from working. */
export function broken(name: string, message: string, advice?: string): DoctorFinding {
  return { name, state: 'fail', message, ...(advice === undefined ? {} : { advice }) }
}
