/** Classifies paths of the repository. */
import type { Source } from './source.ts'

export const isTest = (path: string) => path.startsWith('tests/') || path.endsWith('.test.ts')
/** A file that browser and server share of a domain: its calls, and its model. */
export const isContract = (path: string) => /^app\/\w+\/([\w-]+-)?(contract|model)\.ts$/.test(path)
export const isOurs = (path: string) => /^(app|server|db|demo|bin|bench|tests|tools)\//.test(path)
export const domainOf = (path: string) => /^app\/(\w+)\//.exec(path)?.[1] ?? ''
export const isIn = (path: string, ...folders: string[]) =>
  folders.some((folder) => path.startsWith(folder))

/** The list of domains. */
export const LIST = 'app/modules.ts'
/** The list of payment providers, whose settings and page policies the process reads. */
export const PROVIDERS = 'app/payments/server/providers/list.ts'
export const isModule = (path: string) =>
  /^app\/\w+\/server\/module\.ts$/.test(path) && !isIn(path, 'app/shared/')
export const isDomains = (path: string) =>
  /^app\/\w+\//.test(path) && !isIn(path, 'app/shared/', 'app/layouts/', 'app/info/')

/** The domain of a file in a web folder; undefined for all other files. */
export const webDomain = (path: string) =>
  isIn(path, 'app/shared/') ? undefined : /^app\/(\w+)\/web\//.exec(path)?.[1]

export const isSharedContract = (path: string) =>
  isIn(path, 'app/shared/contract/', 'app/shared/model/')

/** Forbidden imports of some files, except in tests. */
export const forbids =
  (concerns: (path: string) => boolean, isAllowed: (to: string, path: string) => boolean) =>
  ({ path, imports }: Source) =>
    isTest(path) || !concerns(path)
      ? []
      : imports.filter(({ to }) => !isAllowed(to, path)).map(({ specifier }) => specifier)
