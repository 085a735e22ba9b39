/** Words that have a meaning of their own where a command starts. */
export const reservedWords: ReadonlySet<string> = new Set(
  'if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc'.split(' '),
)

/** Reserved words that start a command. */
export const compoundWords: ReadonlySet<string> = new Set('if case for select while until function { [[ coproc'.split(' '))

/** Commands whose arguments may assign lists. */
export const declaringCommands: ReadonlySet<string> = new Set('alias declare export local readonly typeset eval let'.split(' '))

/** Operators, the longest first. */
export const operators: readonly string[] = '&>> <<< <<- ;;& && || ;; ;& << >> <& >& <> >| &> |& ; & | ( ) < >'.split(' ')

/** Operators before a file, a descriptor or a here-document. */
export const redirections: ReadonlySet<string> = new Set('&>> <<< <<- << >> <& >& <> >| &> < >'.split(' '))

/** `-f` and the like, inside `[[ ]]`. */
export function isUnaryTest(text: string): boolean {
  return /^-[abcdefghknoprstuvwxzGLNORS]$/.test(text)
}

/** `==`, `-eq` and the like, inside `[[ ]]`. */
export function isBinaryTest(text: string): boolean {
  return /^(?:==?|!=|=~|-(?:nt|ot|ef|eq|ne|lt|gt|le|ge))$/.test(text)
}
