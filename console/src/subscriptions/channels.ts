/** What the pages of webhooks and of e-mail recipients differ in. */
export interface ChannelWords {
  readonly channel: 'webhook' | 'email';
  /** Of the page, and in the navigation. */
  readonly title: string;
  readonly description: string;
  readonly noun: string;
  /** With its article, at the end of a button: `a webhook`. */
  readonly one: string;
  readonly empty: string;
  readonly page: '/webhooks' | '/email-recipients';
  readonly api: '/api/webhooks/' | '/api/email-recipients/';
  /** In the form. */
  readonly namePlaceholder: string;
  readonly addressHelp: string;
  readonly addressPlaceholder: string;
}

export const WEBHOOKS: ChannelWords = {
  channel: 'webhook',
  title: 'Webhooks',
  description:
    'Addresses that the exchange tells what has changed. All users of your account share them.',
  noun: 'webhook',
  one: 'a webhook',
  empty: 'Create one for each system that is to be told.',
  page: '/webhooks',
  api: '/api/webhooks/',
  namePlaceholder: 'Pager',
  addressHelp: 'Where events are POSTed to',
  addressPlaceholder: 'https://hooks.example/rialto',
};

export const EMAIL_RECIPIENTS: ChannelWords = {
  channel: 'email',
  title: 'E-mail',
  description:
    'People whom the exchange tells by e-mail what has changed. All users of your account share the list.',
  noun: 'e-mail recipient',
  one: 'an e-mail recipient',
  empty: 'Add everybody who is to be told.',
  page: '/email-recipients',
  api: '/api/email-recipients/',
  namePlaceholder: 'Ad operations',
  addressHelp: 'One e-mail address; a mailing list will do',
  addressPlaceholder: 'adops@acme.example',
};
