/** What the client needs from the browser. */
interface ClientHost {
  /** The path of a proxy before the gateway. */
  readonly base?: string
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  fetch(address: string, options: RequestInit): Promise<Response>
}

/** An error of the gateway, or of the way to it. */
export class ApiError extends Error {
  /** The status of the reply; 0 without one. */
  readonly status: number
  readonly code: string

  constructor(message: string, status: number, code = '') {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Asks the gateway. */
export type Client = ReturnType<typeof createClient>

const place = 'stickler.key'

/** Makes the client of the gateway's API: sends the key of this tab, and explains errors. */
export function createClient(host: ClientHost) {
  let key = ''
  try {
    key = host.sessionStorage.getItem(place) ?? ''
  } catch {
    // A browser without storage keeps the key until the page is left.
  }

  const ask = async (path: string, options: RequestInit = {}): Promise<Response> => {
    const headers: Record<string, string> = {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const response = await host
      .fetch(`${host.base ?? ''}/api/v1/${path}`, { ...options, headers, redirect: 'error' })
      .catch((error: unknown) => {
        throw options.signal?.aborted ? error : new ApiError('The gateway cannot be reached.', 0)
      })
    if (response.ok) return response
    throw await errorOf(response)
  }

  const send = async (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> =>
    ask(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...(signal === undefined ? {} : { signal }) })

  return {
    ask,

    hasKey: (): boolean => key !== '',

    /** Sets the key, an empty one to forget it; returns whether it has a valid form. */
    useKey(text: string): boolean {
      const given = text.trim()
      // Other characters are not allowed in a header.
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

    async get<Reply>(path: string, signal?: AbortSignal): Promise<Reply> {
      return (await (await ask(path, signal === undefined ? {} : { signal })).json()) as Reply
    },

    async post<Reply>(path: string, body: unknown, signal?: AbortSignal): Promise<Reply> {
      return (await (await send('POST', path, body, signal)).json()) as Reply
    },

    async put(path: string, body: unknown): Promise<void> {
      await send('PUT', path, body)
    },

    async remove(path: string): Promise<void> {
      await send('DELETE', path)
    },
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { readonly error?: { readonly message?: unknown; readonly code?: unknown } }
    if (typeof error?.message === 'string') {
      return new ApiError(error.message, response.status, typeof error.code === 'string' ? error.code : '')
    }
  } catch {
    // Something between browser and gateway replied.
  }
  return new ApiError(`The gateway responded with ${response.status}.`, response.status)
}
