import { HttpError, withheld, without } from '@stickler/core/internal'
import type { Fields } from '@stickler/core/runners'
import type { Exchange } from '../../front/exchange.ts'
import { MultipartForm } from '../../upstreams/transport/multipart-form.ts'

const names = withheld()

/** A body to pass through, and its fields. */
export interface PassedBody {
  readonly body: Fields | MultipartForm
  readonly fields: Fields
}

/** Reads a body to pass through, without fields reserved for the gateway; a form stays bytes. */
export async function readPassed(exchange: Exchange, takesForms: boolean): Promise<PassedBody> {
  const type = exchange.request.headers['content-type'] ?? ''
  if (!takesForms || !/^multipart\//i.test(type)) {
    const fields = await exchange.json()
    return { body: without(fields, names), fields }
  }
  const form = MultipartForm.read(await exchange.bytes(), type)
  if (form === undefined) throw new HttpError(400, 'The body is not a well-formed multipart/form-data.', { code: 'invalid_form' })
  const body = form.without(names)
  const fields = body.fields()
  if (Array.isArray(fields.model)) throw new HttpError(400, 'model must be given once', { param: 'model' })
  return { body, fields }
}
