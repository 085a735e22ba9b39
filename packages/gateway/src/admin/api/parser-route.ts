import type { Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import type { ParserView } from '../../services/parsing/circuit-changes.ts'
import { parserDescription } from './operation-descriptions.ts'

/** Makes the route that shows the parser; `parser` is null when no contract needs one. */
export function parserRoute(view: () => ParserView | undefined): Route {
  return {
    method: 'GET',
    path: '/api/v1/parser',
    access: 'operate',
    description: parserDescription,
    handler: async (exchange) => sendJson(exchange, 200, { parser: view() ?? null }),
  }
}
