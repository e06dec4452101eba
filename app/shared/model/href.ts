import type { Register } from 'react-router'

/** The pages of `app/routes.ts`; React Router generates the type. */
type Pages = Register['pages']
type Page = keyof Pages
type Params<P extends Page> = Pages[P]['params']

/** A page without parameters. */
export type PlainPage = {
  [P in Page]: Record<never, never> extends Params<P> ? P : never
}[Page]

/** A path with its parameters, such as `:slug`, encoded. */
export const fillPath = (pattern: string, params: Record<string, unknown> = {}): string =>
  pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/**
 * The path of a page. The page is named as in `app/routes.ts`, so the types refuse one that does not
 * exist or whose parameters are missing. A function of its own, because React Router's `href` would
 * load React Router into every process that mails a link.
 */
export const href = <P extends Page>(
  page: P,
  ...[params]: Record<never, never> extends Params<P> ? [] : [params: Params<P>]
): string => fillPath(page, params)
