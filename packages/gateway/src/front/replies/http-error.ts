export { HttpError, type HttpErrorDetails } from '@stickler/core/wire'
