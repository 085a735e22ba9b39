type Json = Readonly<Record<string, unknown>>

const request: Readonly<Record<string, string>> = {
  'x-stickler-session': 'The session that the request belongs to.',
  'x-stickler-task': 'The task of the client, such as `title_generation`; a route may exempt it.',
  'x-stickler-user': 'Who asks, for the cache and the audit of questions.',
  'x-stickler-progress': 'Whether chunks tell what is going on.',
  traceparent: 'The trace that the run continues.',
}

const reply: Readonly<Record<string, string>> = {
  'x-stickler-status': '`valid`, `repaired`, `unresolved`, `unchecked`, `failed` or `unenforced`; in a stream it is in the last chunk.',
  'x-stickler-attempts': 'How often the model was asked.',
  'x-stickler-contract': 'Name of the contract; empty without one.',
  'x-stickler-validation-status': 'The verdict in the words that a preset declares.',
  'x-stickler-dropped': 'Fields that the API of the provider has no word for, and that were left out.',
  'x-stickler-query-type': 'The type of the query, on routes with a pipeline.',
  'x-stickler-context-relevant': 'Whether the passages were judged to be relevant.',
  'x-stickler-degraded': 'What of a pipeline could not do all of its work.',
  'retry-after': 'Seconds after which asking again may help.',
}

/** Headers that clients of models may send. */
export function requestHeaders(): Json {
  const parameter = (name: string, description: string): Json => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  return Object.fromEntries(Object.entries(request).map(([name, description]) => [name, parameter(name, description)]))
}

/** Headers of answers to those who call models. */
export function replyHeaders(): Json {
  return Object.fromEntries(Object.entries(reply).map(([name, description]) => [name, { description, schema: { type: 'string' } }]))
}
