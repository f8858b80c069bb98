import type { Language } from './language.ts'

const notYou = 'If this was not you, change your password now and tell your administrator.'
const facts = ['Time: {time}', 'Device: {device}', 'IP address: {ip}']

/** English. */
export const words: Language = {
  greetings: ['Hello {nickname},', 'Hello,'],
  closings: ['{tenant} · {site}', '{site}'],
  sms: '[{sender}] {text}',
  space: ' ',
  texts: {
    login_code: {
      subject: 'Your sign-in code for {sender}',
      email: [
        'This is your code to sign in to {sender}:\n{code}',
        'It is valid for {minutes} minutes and works once.',
        'Nobody will ever ask you for it. If you did not want to sign in, ignore this message.',
      ],
      sms: ['{code} is your sign-in code.', 'Valid for {minutes} min.', 'Do not share it.'],
    },
    reset_code: {
      subject: 'Your code to reset the password for {sender}',
      email: [
        'This is your code to choose a new password for {sender}:\n{code}',
        'It is valid for {minutes} minutes and works once.',
        'Nobody will ever ask you for it. If you did not ask for it, ignore this message: your password stays as it is.',
      ],
      sms: ['{code} is your code to reset the password.', 'Valid for {minutes} min.', 'Do not share it.'],
    },
    reset_link: {
      subject: 'Reset your password for {sender}',
      email: [
        'Open this link to choose a new password for {sender}:\n{link}',
        'It is valid for {minutes} minutes and works once.',
        'If you did not ask for it, ignore this message: your password stays as it is.',
      ],
      sms: ['Reset your password: {link}', 'Valid for {minutes} min.'],
    },
    verify_email: {
      subject: 'Confirm your e-mail address for {sender}',
      email: [
        'Confirm that this address is yours with this code:\n{code}',
        'Open this link to confirm that this address is yours:\n{link}',
        'This is valid for {hours} hours.',
        'If you did not register with {sender}, ignore this message.',
      ],
      sms: ['{code} is your confirmation code.', 'Confirm: {link}', 'Valid for {hours} h.'],
    },
    address_taken: {
      subject: 'You have an account with {sender}',
      email: [
        'Somebody, perhaps you, registered with {sender} under this address. There is an account for it already, which stays as it was.',
        'Sign in here, or have your password reset there:\n{link}',
        'If it was not you, there is nothing to do.',
      ],
      sms: ['You have an account already: {link}'],
    },
    number_taken: {
      subject: 'Your telephone number was given to {sender}',
      email: [
        'Somebody, perhaps you, registered with {sender} and gave the telephone number of your account. It stays with your account, which is as it was.',
        'If that was you, sign in to the account that you have:\n{link}',
        'If it was not you, there is nothing to do.',
      ],
      sms: ['Somebody registered with your number; it stays with your account: {link}'],
    },
    invitation: {
      subject: 'You are invited to {sender}',
      email: [
        '{inviter} invites you to {sender}.',
        'Accept the invitation to {sender} here:\n{link}',
        'Your invitation code:\n{code}',
        'This is valid for {hours} hours.',
        'This is valid for {days} days.',
        'If you do not know {sender}, ignore this message.',
      ],
      sms: ['You are invited: {link}', 'Code: {code}'],
    },
    registration_approved: {
      subject: 'Your registration with {sender} is approved',
      email: ['Your registration with {sender} is approved: you can sign in now.', '{link}'],
      sms: ['Your registration is approved: you can sign in now.'],
    },
    registration_rejected: {
      subject: 'Your registration with {sender}',
      email: ['Your registration with {sender} was not approved.', 'Reason: {reason}'],
      sms: ['Your registration was not approved.'],
    },
    password_changed: {
      subject: 'Your password for {sender} was changed',
      email: ['The password of your account at {sender} was changed. All other sessions have ended.', ...facts, notYou],
      sms: ['Your password was changed.', 'If this was not you, tell your administrator now.'],
    },
    new_device: {
      subject: 'New sign-in to {sender}',
      email: ['Your account at {sender} was used on a device that we have not seen before.', ...facts, notYou],
      sms: ['New sign-in from {ip}.', 'If this was not you, change your password now.'],
    },
    refresh_reused: {
      subject: 'A session at {sender} was ended for your safety',
      email: [
        'A sign-in token of your account at {sender} was used twice, as happens when it was copied. That session has ended.',
        ...facts,
        'Sign in again. If you see this more than once, change your password and tell your administrator.',
      ],
      sms: ['A session was ended for your safety.', 'Sign in again and change your password if this repeats.'],
    },
    domain_failed: {
      subject: 'A domain of {sender} is not verified any more',
      email: [
        'The record that proves that a domain is yours has been missing for three days. The domain no longer leads to you.',
        'Domain: {domain}',
        'Put the TXT record back: the domain is verified again by itself. After two weeks without it the domain is unbound.',
      ],
      sms: ['The domain {domain} is not verified any more: put its TXT record back.'],
    },
    domain_superseded: {
      subject: 'A domain of {sender} was taken over',
      email: [
        'Another tenant has proved that a domain of yours is its own. The domain no longer leads to you.',
        'Domain: {domain}',
        'If the domain is yours, look at who may change its DNS records, and have it verified again.',
      ],
      sms: ['The domain {domain} was taken over by another tenant.'],
    },
    domain_unbound: {
      subject: 'A domain of {sender} was unbound',
      email: [
        'Nobody proved for two weeks that a domain is yours, so it was unbound.',
        'Domain: {domain}',
        'You can bind it again at any time.',
      ],
      sms: ['The domain {domain} was unbound: nobody proved it for two weeks.'],
    },
    ai_alert: {
      subject: 'An AI alert at {sender}',
      email: ['Something is wrong with AI at {sender}.', 'Alert: {alert}', '{metric}: {value}', 'Since: {time}'],
      sms: ['Something is wrong with AI.', '{alert}: {metric} {value}.'],
    },
    ai_alert_over: {
      subject: 'An AI alert at {sender} is over',
      email: ['What was wrong with AI at {sender} is over.', 'Alert: {alert}', 'Since: {time}'],
      sms: ['What was wrong with AI is over.', '{alert}.'],
    },
    notification: {
      subject: ['{title} · {sender}', 'A notification at {sender}'],
      email: [
        '{title}',
        '{body}',
        'From the plugin {plugin}:',
        '{told_title}',
        '{told_body}',
        'Read it here:\n{link}',
        'Which notifications come by e-mail is one of your preferences.',
      ],
      sms: ['{title}'],
    },
    notification_digest: {
      subject: ['Unread notifications at {sender}: {count}', 'Unread notifications at {sender}'],
      email: [
        'You have not read these yet:',
        ...Array.from({ length: 10 }, (_, at) => `· {item${at + 1}}`),
        'Read all of them here:\n{link}',
        'How often this comes is one of your preferences.',
      ],
      sms: ['Unread notifications: {count}.'],
    },
    plugin_mail: {
      subject: ['{mail_subject} · {sender}', 'A message at {sender}'],
      email: [
        ...Array.from({ length: 20 }, (_, at) => `{mail${at + 1}}`),
        'See more here:\n{link}',
        'The plugin {plugin} wrote this. Whether it may is one of your preferences for notifications.',
      ],
      sms: ['{mail_subject}'],
    },
    ai_report: {
      subject: 'A report of AI usage at {sender}',
      email: [
        'A report of AI usage and costs is ready.',
        'Report: {report}',
        'Its file stands with the reports of {sender}.',
      ],
      sms: ['A report of AI usage is ready: {report}.'],
    },
    delivery_changed: {
      subject: 'How {sender} sends messages was changed',
      email: [
        'Somebody changed how {sender} sends e-mail or text messages. Links to reset passwords take the new way from now on; this message took the old one.',
        'Changed by: {writer}',
        'Time: {time}',
        'If nobody of you did this, look at the settings of e-mail and text messages at once.',
      ],
      sms: ['How {sender} sends messages was changed.', 'If nobody of you did this, look at the settings at once.'],
    },
    links_changed: {
      subject: 'Links in messages of {sender} lead elsewhere now',
      email: [
        'Somebody changed which domain the links in messages of {sender} lead to, also those that reset passwords.',
        'Domain: {domain}',
        'Changed by: {writer}',
        'Time: {time}',
        'If nobody of you did this, look at the domains at once.',
      ],
      sms: ['Links of {sender} lead elsewhere now.', 'If nobody of you did this, look at the domains at once.'],
    },
    test: {
      subject: 'Test message from {sender}',
      email: ['This is a test: messages of {sender} reach you.'],
      sms: ['This is a test: text messages reach you.'],
    },
  },
}
