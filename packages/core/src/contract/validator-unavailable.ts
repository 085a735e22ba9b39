/** Thrown by a validator that cannot run because something it needs is not there: no verdict either way. */
export class ValidatorUnavailable extends Error {
  override readonly name = 'ValidatorUnavailable'
}
