/**
 * Where anybody can have a mailbox: that two people have one at the same domain says nothing of them.
 * The well-known ones; a list of all is out of date the day it is made.
 */
const PUBLIC_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  `126.com 163.com aol.com bk.ru bluewin.ch duck.com fastmail.com fastmail.fm free.fr freemail.hu
  freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk
  hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hushmail.com icloud.com inbox.lv inbox.ru
  interia.pl laposte.net libero.it list.ru live.co.uk live.com live.de live.fr live.nl mac.com mail.com
  mail.de mail.ru mailbox.org me.com msn.com naver.com o2.pl onet.pl orange.fr outlook.com outlook.de
  outlook.es outlook.fr outlook.it pm.me posteo.de posteo.net proton.me protonmail.ch protonmail.com
  qq.com rambler.ru rediffmail.com rocketmail.com seznam.cz sfr.fr sina.com sohu.com t-online.de
  tuta.com tuta.io tutanota.com tutanota.de ukr.net virgilio.it wanadoo.fr web.de wp.pl ya.ru
  yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.ar yahoo.com.br yahoo.com.mx
  yahoo.de yahoo.es yahoo.fr yahoo.in yahoo.it yandex.com yandex.ru yeah.net ymail.com zoho.com
  zohomail.com`.split(/\s+/),
);

/** @param domain in lower case. */
export function isPublicMailDomain(domain: string): boolean {
  return PUBLIC_MAIL_DOMAINS.has(domain);
}
