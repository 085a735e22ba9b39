import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { HttpError } from '@stickler/core/internal/apis'
import type { Route } from '../../front/exchange.ts'
import { type ExtraHeaders, sendText } from '../../front/replies/json-response.ts'
import { pageDescription } from '../api/operation-descriptions.ts'
import { pageHtml } from './page-html.ts'
import { pageStyle } from './page-style.ts'

/** Stricter than for other pages: no inline style, and no way to turn text into markup. */
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

/**
 * Makes the routes of the page; they need no key because they hold no data, which comes from the
 * API.
 */
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

const suffix = '.js'

/** Reads the modules of the page, as built, on first request. */
function pageModules(): (name: string) => Promise<string | undefined> {
  let reading: Promise<ReadonlyMap<string, string>> | undefined
  return async (name) => {
    reading ??= readAll()
    try {
      return (await reading).get(name)
    } catch (error) {
      // A failed read may succeed the next time.
      reading = undefined
      throw error
    }
  }
}

async function readAll(): Promise<ReadonlyMap<string, string>> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@stickler/gateway/package.json')), 'dist/admin/page/browser')
  const names = (await readdir(folder)).filter((name) => name.endsWith(suffix))
  return new Map(
    await Promise.all(names.map(async (name): Promise<[string, string]> => [name, await readFile(join(folder, name), 'utf8')])),
  )
}
