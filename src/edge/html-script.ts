/**
 * The scripts of our documents, as they go out: small, for every browser that has
 * IntersectionObserver, and in an order that needs no library. `c` holds the addresses.
 */

/**
 * `fire` calls a beacon until a picture comes back, six times at most: copies count once. `tell`
 * speaks to the page around the document.
 */
export const COMMON_SCRIPT = `
function fire(url,tries){if(!url)return;var i=new Image();
i.onerror=function(){if(tries>1)setTimeout(function(){fire(url,tries-1)},1000)};i.src=url}
function tell(){if(parent!==window)parent.postMessage({rialto:c.message},'*')}
tell();
`;

/**
 * The frame's load event is caught on its way down, because the frame may have loaded before a
 * script behind it ran. A view is half of the frame for one second without a break, on a page that
 * is itself in sight. Without the click address in the markup a click is what takes the focus into
 * the frame: the only sign of it that comes out of a foreign origin. No event tells a document that
 * is in a frame itself, so that it looks. A script or a key that moves the focus activates nothing.
 */
export const SITE_SCRIPT = `
var shown=false;
document.addEventListener('load',function(e){
if(shown||e.target.id!=='ad')return;shown=true;fire(c.impression,6);watch(e.target)},true);
function watch(ad){if(!window.IntersectionObserver)return;var timer=0,half=false,seen=false;
function look(){clearTimeout(timer);if(seen||!half||document.visibilityState==='hidden')return;
timer=setTimeout(function(){seen=true;observer.disconnect();fire(c.view,6)},1000)}
var observer=new IntersectionObserver(function(list){
half=list[list.length-1].intersectionRatio>=0.5;look()},{threshold:[0.5]});
observer.observe(ad);document.addEventListener('visibilitychange',look)}
var clicks=c.click?setInterval(click,200):0;
function click(){var ad=document.activeElement,user=navigator.userActivation;
if(!clicks||!ad||ad.id!=='ad'||user&&!user.isActive)return;clearInterval(clicks);clicks=0;
if(!navigator.sendBeacon||!navigator.sendBeacon(c.click))fire(c.click,1)}
window.addEventListener('pagehide',click);
`;

/**
 * With MRAID the ad is shown once its container is ready, and seen as the container says (half of
 * it from version 3 on); without it a web view that is not hidden shows it all.
 */
export const APP_SCRIPT = `
var m,shown=false,seen=false,timer=0,visible=false;
function look(){clearTimeout(timer);if(seen||!shown||!visible)return;
timer=setTimeout(function(){seen=true;fire(c.view,6)},1000)}
function show(){if(shown)return;shown=true;fire(c.impression,6);
if(!m){document.addEventListener('visibilitychange',page);page();return}
if(m.getVersion&&parseFloat(m.getVersion())>=3)m.addEventListener('exposureChange',exposed);
else{m.addEventListener('viewableChange',viewable);viewable(m.isViewable())}}
function page(){visible=document.visibilityState!=='hidden';look()}
function exposed(percentage){visible=percentage>=50;look()}
function viewable(is){visible=is===true;look()}
window.addEventListener('load',function(){m=window.mraid;
if(m&&m.getState()==='loading')m.addEventListener('ready',show);else show()});
`;

/**
 * Writes the markup where it stands, and tells the page once it is on the screen: when all of it
 * has loaded, or two seconds after it was read, because a picture that never comes hides no ad.
 */
export const FRAME_SCRIPT = `
(function(){var markup=window.name,told=false;window.name='';if(parent===window||!markup)return;
function tell(){if(!told){told=true;parent.postMessage('rialto:rendered','*')}}
addEventListener('load',tell);
document.addEventListener('DOMContentLoaded',function(){setTimeout(tell,2000)});
document.write(JSON.parse(markup))})()
`;
