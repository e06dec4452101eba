import type { SMTPTransportOptions } from 'nodemailer/lib/smtp-transport'

const SECONDS = 1000
const MINUTES = 60 * SECONDS

/** Addresses of this machine. */
const isLocal = (host: string) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)

/**
 * The options of nodemailer for SMTP_URL. STARTTLS is used wherever the server offers it, and required
 * before a password is sent to another machine. Parameters of the URL, such as
 * `?tls.rejectUnauthorized=false`, are options of nodemailer and replace these.
 */
export function smtpOptions(url: string): SMTPTransportOptions & { url: string } {
  const { hostname, username } = new URL(url)
  return {
    url,
    requireTLS: username !== '' && !isLocal(hostname),
    connectionTimeout: 30 * SECONDS,
    greetingTimeout: 30 * SECONDS,
    dnsTimeout: 15 * SECONDS,
    // an attempt that ends while a slow server accepts the message sends it twice (RFC 5321, 4.5.3.2.6)
    socketTimeout: 10 * MINUTES,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
