import type { Metadata } from '@grpc/grpc-js'
import type { Clock, StopSignal } from '@stickler/core'
import { HttpError } from '@stickler/core/internal/apis'
import type { Keyring } from '../../front/access/keys.ts'
import { authenticate, checkRole } from '../../front/access/roles.ts'
import type { Access, Identity } from '../../front/exchange.ts'
import { requestIdFrom } from '../../front/request-id.ts'
import type { AskCaller } from '../ask/question.ts'

const nobody: Identity = { key: '', role: 'client' }

/** What the metadata of a call claims about its caller, unverified. */
export function callerOf(metadata: Metadata, { clock, newId }: { readonly clock: Clock; newId(): string }, signal: StopSignal): AskCaller {
  return {
    requestId: requestIdFrom(onlyValue(metadata, 'x-request-id'), newId),
    identity: nobody,
    caller: '',
    startedAt: clock.now(),
    signal,
    headers: {
      traceparent: onlyValue(metadata, 'traceparent'),
      tracestate: onlyValue(metadata, 'tracestate'),
      'x-stickler-user': onlyValue(metadata, 'x-stickler-user'),
    },
    ending: undefined,
  }
}

/** For whom a call counts: its key, or its connection where it has none. */
export function placeOf(metadata: Metadata, peer: string, keys: Keyring): string {
  try {
    return identityOf(metadata, keys, 'read').key || peer
  } catch {
    return peer
  }
}

/**
 * Authenticates a call by its metadata, by the same rules as over HTTP; throws an HttpError when it
 * is not allowed.
 */
export function identityOf(metadata: Metadata, keys: Keyring, access: Access): Identity {
  const identity = authenticated(metadata, keys)
  checkRole(access, identity)
  return identity
}

function authenticated(metadata: Metadata, keys: Keyring): Identity {
  const [authorization, ...others] = metadata.get('authorization')
  const [apiKey, ...more] = metadata.get('x-api-key')
  try {
    // Another component could read the other value.
    if (others.length > 0 || more.length > 0) throw new HttpError(400, 'the key is given twice')
    return authenticate({ ...header('authorization', authorization), ...header('x-api-key', apiKey) }, keys)
  } catch (error) {
    if (error instanceof HttpError) throw new HttpError(401, 'A valid API key is required.', { code: 'invalid_api_key' })
    throw error
  }
}

function header(name: string, value: string | Buffer | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [name]: String(value) }
}

/** The only value of a metadata key; undefined when there are several. */
function onlyValue(metadata: Metadata, name: string): string | undefined {
  const [value, ...others] = metadata.get(name)
  return typeof value === 'string' && others.length === 0 ? value : undefined
}
