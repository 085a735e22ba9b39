import type { Route } from '../../front/exchange.ts'
import { type ExtraHeaders, sendText } from '../../front/replies/json-response.ts'
import { pageDescription } from '../api/operation-descriptions.ts'
import { pageHtml } from './page-html.ts'
import { pageScript } from './page-script.ts'
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
    file('/page.js', pageScript(), 'text/javascript; charset=utf-8'),
  ]
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
