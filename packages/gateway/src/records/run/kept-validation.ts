/** The name under which a declared verdict is kept among the facts of a run; a verdict with nothing to tell is not kept. */
export const keptValidation = 'validation_status'
