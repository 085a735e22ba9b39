import { unknownName } from '@stickler/core'
import { HttpError } from '@stickler/core/internal'
import type { Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import { modelDescription, modelsDescription } from './operation-descriptions.ts'

/** What the routes for models need. */
export interface ModelsRoutesParts {
  /** The models that clients may name, from the current configuration. */
  readonly models: () => readonly string[]
  /** When the configuration was read, in milliseconds since 1970. */
  readonly configuredAt: () => number
}

/** Makes the routes that list models in OpenAI's format; upstreams are never exposed. */
export function modelsRoutes({ models, configuredAt }: ModelsRoutesParts): readonly Route[] {
  const describe = (id: string) => ({ id, object: 'model', created: Math.floor(configuredAt() / 1000), owned_by: 'stickler' })
  // `*` matches any model, and is not one itself.
  const named = (): readonly string[] => [...new Set(models())].filter((model) => model !== '*')
  return [
    {
      method: 'GET',
      path: '/v1/models',
      access: 'read',
      description: modelsDescription,
      handler: async (exchange) => sendJson(exchange, 200, { object: 'list', data: named().map(describe) }),
    },
    {
      method: 'GET',
      path: '/v1/models/:id',
      access: 'read',
      description: modelDescription,
      handler: async (exchange) => {
        const { id = '' } = exchange.params
        const known = named()
        if (!known.includes(id)) throw new HttpError(404, unknownName('model', id, known), { param: 'model', code: 'model_not_found' })
        sendJson(exchange, 200, describe(id))
      },
    },
  ]
}
