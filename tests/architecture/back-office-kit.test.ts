/** The kit of the back office is the only way: its pages have no field, list or dialog of their own. */
import { checkRules } from './check-rules.ts'
import { isTest } from './paths.ts'

const isPage = (path: string) => /^app\/\w+\/web\/admin\//.test(path) && !isTest(path)

const CONTROLS = ['input', 'select', 'textarea', 'table', 'form', 'dialog']

/** What the kit is made of. */
const PARTS =
  /^app\/shared\/web\/(form\/(field|select|text-area|money-field|labelled|submit-form|unsaved-changes-prompt)|dialog|confirm-dialog|list)\.tsx$/

checkRules('the kit of the back office', [
  {
    rule: '8. a page of the back office has only the fields, lists and dialogs of the kit',
    breaks: ({ path, elements, imports }) =>
      isPage(path)
        ? [
            ...CONTROLS.filter((control) => elements.has(control)),
            ...imports.flatMap(({ to, specifier }) => (PARTS.test(to) ? [specifier] : [])),
          ]
        : [],
    planted: {
      'app/orders/web/admin/page.tsx': 'export const Page = () => <input name="q" />',
      'app/orders/web/admin/list.tsx': 'export const List = () => <table />',
      'app/orders/web/admin/sure.tsx': "import { Dialog } from '#app/shared/web/dialog.tsx'",
      'app/orders/web/admin/field.tsx': "import { Select } from '#app/shared/web/form/select.tsx'",
    },
  },
])
