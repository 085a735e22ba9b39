import type { z } from 'zod'

/** What a route takes and gives; the OpenAPI document is made of these. */
export interface RouteDescription {
  /** One sentence in the imperative. */
  readonly summary: string
  /** Anything else callers should know. */
  readonly notes?: string
  /** Under which heading the route is listed. */
  readonly group: 'Models' | 'Questions' | 'Checks' | 'Runs' | 'Operation' | 'Page'
  /** Parameters of the query; all of them are optional. */
  readonly query?: z.ZodObject
  /** The body by content type. */
  readonly body?: Readonly<Record<string, z.ZodType>>
  /** What is answered, by status; errors that every route has are added. */
  readonly replies: Readonly<Record<number, ReplyDescription>>
  /** The body of its errors by content type; in OpenAI's format when absent. */
  readonly errors?: Readonly<Record<string, z.ZodType>>
  /** Schemas with names, so that others can reference them. */
  readonly names?: Readonly<Record<string, z.ZodType>>
}

/** One answer of a route. */
export interface ReplyDescription {
  readonly meaning: string
  /** The body by content type; for `text/event-stream`, the data of each event. */
  readonly content: Readonly<Record<string, z.ZodType>>
}
