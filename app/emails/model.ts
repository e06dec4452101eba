/** Of an e-mail in a shop without an SMTP server. */
export const NOT_SENT = 'This shop sends no e-mail yet: the Outbox keeps what it would send.'
