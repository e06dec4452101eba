import { describe, expect, it } from 'vitest'
import { parse, readSources, type Source } from './source.ts'

export type Rule = {
  rule: string
  /** What in this file breaks the rule. */
  breaks: (source: Source, all: Source[]) => string[]
  /** Files that break it, by their paths: the proof that the rule sees anything. */
  planted: Record<string, string>
}

const broken = ({ breaks }: Rule, sources: Source[]) =>
  sources.flatMap((source) => breaks(source, sources).map((what) => `${source.path}: ${what}`))

/** Two tests a rule: the whole repository keeps it, and the planted files do not. */
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
