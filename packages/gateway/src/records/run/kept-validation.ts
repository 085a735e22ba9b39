/** The fact of a run that has the declared verdict; an empty verdict is not stored. */
export const keptValidation = 'validation_status'
