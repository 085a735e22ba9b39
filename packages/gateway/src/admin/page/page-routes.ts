import type { Route } from '../../front/exchange.ts'
import { HttpError } from '../../front/replies/http-error.ts'
import { type ExtraHeaders, sendText } from '../../front/replies/json-response.ts'
import { pageDescription } from '../api/operation-descriptions.ts'
import { pageHtml } from './page-html.ts'
import { pageModules } from './page-modules.ts'
import { pageStyle } from './page-style.ts'

/** Stricter than that of pages in general: no inline style either, and no way from text to markup. */
const policy = [
  "default-src 'self'",
  'img-src data:',
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Makes the routes of the page; they are open because they hold no data, which comes from the API to those who have a key. */
export function pageRoutes(): readonly Route[] {
  return [
    file('/', pageHtml, 'text/html; charset=utf-8', { 'content-security-policy': policy }),
    file('/page.css', pageStyle, 'text/css; charset=utf-8'),
    scripts(),
  ]
}

/** The modules of the page, each by its name. */
function scripts(): Route {
  const textOf = pageModules()
  return {
    method: 'GET',
    path: '/page/:module',
    access: 'page',
    description: () => pageDescription('text/javascript'),
    async handler(exchange) {
      const text = await textOf(exchange.params.module ?? '')
      if (text === undefined) throw new HttpError(404, 'There is no such file.')
      sendText(exchange, 200, text, 'text/javascript; charset=utf-8')
    },
  }
}

function file(path: string, text: string, contentType: string, headers?: ExtraHeaders): Route {
  return {
    method: 'GET',
    path,
    access: 'page',
    description: () => pageDescription(contentType.split(';', 1)[0] ?? contentType),
    handler: async (exchange) => sendText(exchange, 200, text, contentType, headers),
  }
}
