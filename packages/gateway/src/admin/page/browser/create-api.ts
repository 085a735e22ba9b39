import type { PageHost } from './page-host.ts'

/** Asks the gateway. */
export type Api = ReturnType<typeof createApi>

/** Makes the way to the gateway: with the key of this tab, and with words for what went wrong. */
export function createApi(host: Pick<PageHost, 'fetch' | 'sessionStorage'>) {
  const place = 'stickler.key'
  let key = ''
  try {
    key = host.sessionStorage.getItem(place) ?? ''
  } catch {
    // A browser that keeps nothing still has the key until the page is left.
  }

  const explain = async (response: Response): Promise<string> => {
    try {
      const { error } = (await response.json()) as { readonly error?: { readonly message?: unknown } }
      if (typeof error?.message === 'string') return error.message
    } catch {
      // Something between browser and gateway has answered.
    }
    return `The gateway answers with ${response.status}.`
  }

  const ask = async (path: string, options: RequestInit = {}): Promise<Response> => {
    const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` }
    const response = await host.fetch(path, { ...options, headers, redirect: 'error' }).catch((error: unknown) => {
      throw options.signal?.aborted ? error : Object.assign(new Error('The gateway cannot be reached.'), { status: 0 })
    })
    if (response.ok) return response
    throw Object.assign(new Error(await explain(response)), { status: response.status })
  }

  return {
    ask,

    hasKey: (): boolean => key !== '',

    /** Takes another key, an empty one to forget it; says whether it can be one. */
    useKey(text: string): boolean {
      const given = text.trim()
      // Anything else cannot stand in a header.
      if (!/^[\x21-\x7e]*$/.test(given)) return false
      key = given
      try {
        if (given === '') host.sessionStorage.removeItem(place)
        else host.sessionStorage.setItem(place, given)
      } catch {
        // As above.
      }
      return true
    },

    async get<Answer>(path: string): Promise<Answer> {
      return (await (await ask(path)).json()) as Answer
    },

    /** The status of a refusal; 0 when there was no answer. */
    statusOf: (error: unknown): number => (error instanceof Error && 'status' in error ? Number(error.status) : 0),
  }
}
