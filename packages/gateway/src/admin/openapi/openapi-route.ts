import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { Route } from '../../front/exchange.ts'
import { sendJsonText } from '../../front/replies/json-response.ts'
import type { RouteDescription } from '../../front/route-description.ts'
import { openApiDocument } from './openapi-document.ts'

/** Adds the route that describes them all, itself included; the document is made when it is first asked for. */
export function withOpenApi(routes: readonly Route[]): readonly Route[] {
  let text: string | undefined
  const all: readonly Route[] = [
    ...routes,
    {
      method: 'GET',
      path: '/openapi.json',
      access: 'read',
      description: documentDescription,
      async handler(exchange) {
        text ??= JSON.stringify(openApiDocument(all, packageVersion()))
        sendJsonText(exchange, 200, text)
      },
    },
  ]
  return all
}

function documentDescription(): RouteDescription {
  const content = { 'application/json': z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }) }
  return {
    summary: 'Get this document.',
    group: 'Operation',
    replies: { 200: { meaning: 'The OpenAPI 3.1 document of every route.', content } },
  }
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return String((manifest as { version?: unknown }).version)
}
