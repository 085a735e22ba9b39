import type { SyntaxParser } from '@stickler/core/validators'

/** How a service is opened and closed. */
export interface ServiceSettings<Opened> {
  open(): Promise<Opened>
  close(opened: Opened): Promise<void>
  /** Makes what those get who need it after it was closed. */
  closed(): Error
}

/** A service that is opened once for all who need it, on first use or early. */
export interface LazyService<Opened> {
  /** What is open now. */
  readonly opened: Opened | undefined
  /** Opens it; what cannot be opened may exist the next time. */
  open(): Promise<Opened>
  /** Closes what was opened, for good. */
  close(): Promise<void>
}

/** Makes a service; nothing is loaded, started or connected before it is needed. */
export function lazyService<Opened>(settings: ServiceSettings<Opened>): LazyService<Opened> {
  let opening: Promise<Opened> | undefined
  let opened: Opened | undefined
  let closing: Promise<void> | undefined
  async function openNow(): Promise<Opened> {
    try {
      opened = await settings.open()
      return opened
    } catch (error) {
      opening = undefined
      throw error
    }
  }
  async function closeNow(): Promise<void> {
    const last = await opening?.catch(() => undefined)
    opened = undefined
    if (last !== undefined) await settings.close(last)
  }
  return {
    get opened() {
      return opened
    },
    open() {
      if (closing !== undefined) return Promise.reject(settings.closed())
      opening ??= openNow()
      return opening
    },
    close() {
      closing ??= closeNow()
      return closing
    },
  }
}

/** The parser of a service that is opened on first use. */
export function lazyParser(service: LazyService<SyntaxParser>): SyntaxParser {
  return {
    parse: async (...source) => (await service.open()).parse(...source),
    load: (...language) =>
      service.opened === undefined ? service.open().then((parser) => parser.load?.(...language)) : service.opened.load?.(...language),
  }
}
