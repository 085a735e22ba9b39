/** A statement of a design, with the file and the name of a test that shows it. */
export interface Statement {
  readonly number: number
  readonly statement: string
  readonly cell: string
  readonly path: string | undefined
  readonly test: string | undefined
}

export declare const designs: readonly string[]
export declare function statementsOf(design: string): readonly Statement[]
export declare function isPartly(statement: string): boolean
export declare function designsPage(): string
