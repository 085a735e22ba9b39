import type { Route } from '../http/exchange.ts'
import { sendJson } from '../http/json-response.ts'
import type { ParserView } from '../parsing/circuit-changes.ts'

/** Makes the route that shows the parser; `parser` is null when no contract needs one. */
export function parserRoute(view: () => ParserView | undefined): Route {
  return {
    method: 'GET',
    path: '/api/v1/parser',
    access: 'operate',
    handler: async (exchange) => sendJson(exchange, 200, { parser: view() ?? null }),
  }
}
