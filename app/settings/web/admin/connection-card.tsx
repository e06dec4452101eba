import { useState } from 'react'
import { DialogButton, RunButton } from '#app/back-office/kit/dialog-button.tsx'
import { Field } from '#app/back-office/kit/fields.tsx'
import { FormDialog } from '#app/back-office/kit/form-dialog.tsx'
import { Card, Facts, FindingList } from '#app/back-office/kit/page.tsx'
import {
  type Connection,
  type ConnectionField,
  type ConnectionName,
  connectionCalls,
} from '#app/settings/connection-contract.ts'
import type { ListedFinding } from '#app/setup/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { PasswordField } from './password-field.tsx'

const TEXTS: Record<ConnectionName, { title: string; test: string; none: string }> = {
  payments: {
    title: 'Payment provider',
    test: 'Test the keys',
    none: 'No provider is set up: customers cannot pay online.',
  },
  email: {
    title: 'SMTP server',
    test: 'Send a test e-mail to me',
    none: 'No server is set up: e-mails reach nobody, and are only in the Outbox.',
  },
  address: {
    title: 'Public address',
    test: 'Test the address',
    none: 'No address is set: links in e-mails lead nowhere, and search engines find no sitemap.',
  },
}

/** The demo's payments, and those of PAYMENTS=sandbox. */
const SANDBOX = 'No provider is set up: payments go to the sandbox, which takes no money.'

const shownValue = ({ isWriteOnly, isSet, ending, value }: ConnectionField) => {
  if (!isSet) return 'Not set'
  return isWriteOnly ? `Set${ending ? `, ends in ${ending}` : ''}` : value
}

/** What the shop is connected to, with its test. A change asks for the password. */
export function ConnectionCard(connection: Connection) {
  const { name, environment, refusal, problem, fields } = connection
  const { title, none, test } = TEXTS[name]
  const isSet = fields.some((field) => field.isSet)
  const { payments } = useShop()
  // where keys can be set here, they may just have been removed
  const isSandbox = name === 'payments' && payments === 'test' && refusal !== null
  const [findings, setFindings] = useState<ListedFinding[]>([])
  const run = async () => {
    setFindings([])
    const found = await call(connectionCalls.testConnection, { params: { name } })
    setFindings(found)
    const isProblem = found.some(({ state }) => state === 'problem')
    return { message: isProblem ? 'The test has found a problem' : 'The test has run', isProblem }
  }
  return (
    <Card
      title={title}
      tools={
        refusal === null && (
          <DialogButton dialog={<ConnectionDialog {...connection} />}>
            {isSet || connection.isStored ? 'Change' : 'Set up'}
          </DialogButton>
        )
      }
    >
      {problem && (
        <p role="alert" className="rounded-field border border-warning bg-warning/15 p-3">
          What is stored here is not used. {problem}
        </p>
      )}
      {isSet ? (
        <Facts facts={fields.map((field) => [field.label, shownValue(field)])} />
      ) : (
        !environment && <p>{isSandbox ? SANDBOX : none}</p>
      )}
      {environment && (
        <p>
          It is set by <code>{environment}</code> in the environment of the shop. Remove it there to
          set it here.
        </p>
      )}
      {!environment && refusal && <p>{refusal}</p>}
      <RunButton run={run} failed="It could not be tested." className="btn-sm">
        {test}
      </RunButton>
      <div role="status">
        <FindingList findings={findings} />
      </div>
    </Card>
  )
}

function ConnectionDialog({ name, fields }: Connection) {
  return (
    <FormDialog
      title={TEXTS[name].title}
      action="Save"
      failed="It could not be saved."
      save={(field) => {
        const values = Object.fromEntries(fields.map(({ name }) => [name, field(`values.${name}`)]))
        const body = { values, password: field('password') }
        return call(connectionCalls.saveConnection, { params: { name }, body })
      }}
    >
      {fields.map(({ name, label, hint, value, isWriteOnly, isSet }) => (
        <Field
          key={name}
          label={label}
          name={`values.${name}`}
          hint={isWriteOnly && isSet ? 'Set. Empty: it stays.' : hint}
          defaultValue={value}
          spellCheck={false}
          {...(isWriteOnly && { type: 'password', autoComplete: 'new-password' })}
        />
      ))}
      <PasswordField required why="These settings decide where money and e-mails go." />
    </FormDialog>
  )
}
