import { describe, expect, it } from 'vitest'
import { parse, readSources, type Source } from './source.ts'

export type Rule = {
  rule: string
  /** The violations in this file. */
  breaks: (source: Source, all: Source[]) => string[]
  /** Files that violate the rule, by path: the proof that the rule detects violations. */
  planted: Record<string, string>
}

const broken = ({ breaks }: Rule, sources: Source[]) =>
  sources.flatMap((source) => breaks(source, sources).map((what) => `${source.path}: ${what}`))

/** Two tests per rule: the repository has no violation, and the planted files do. */
export function checkRules(title: string, rules: Rule[]) {
  const sources = readSources()
  describe(title, () => {
    for (const rule of rules) {
      it(rule.rule, () => expect(broken(rule, sources)).toEqual([]))
      it(`… and sees who breaks it: ${rule.rule}`, () => {
        for (const [path, text] of Object.entries(rule.planted)) {
          const others = Object.entries(rule.planted).filter(([other]) => other !== path)
          const planted = [parse(path, text), ...others.map((other) => parse(...other))]
          expect(broken(rule, planted), path).not.toEqual([])
        }
      })
    }
  })
}
